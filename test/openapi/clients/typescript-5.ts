import { registerHooks } from 'node:module';

/**
 * Node loads this module before a generator that needs the compiler API of TypeScript 5, which version 7 does not have.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

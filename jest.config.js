/** ES modules (node --experimental-vm-modules), since Middy 7 has no CommonJS version. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // Includes the product code, so that watch mode notices changes to it.
  roots: ['test', 'shared', 'functions', 'infra', 'clients'].map((name) => `<rootDir>/${name}`),
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          // Node needs `with { type: 'json' }`.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFiles: ['<rootDir>/test/support/function-output.ts'],
  testMatch: ['**/test/**/*.test.ts'],
  // test/run.ts ends a run that does not end by itself.
  openHandlesTimeout: 0,
  // Stops tests that hang, not tests that are slow on a busy machine.
  testTimeout: 300_000,
};

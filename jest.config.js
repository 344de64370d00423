/** ESM mode (node --experimental-vm-modules): Middy 7 is ESM only, and Node runs the same modules in Lambda. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          // `with { type: 'json' }` must reach Node.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testMatch: ['**/*.test.ts'],
  // A busy machine may take its time: a test that hangs is stopped, one that is slow is not.
  testTimeout: 120_000,
};

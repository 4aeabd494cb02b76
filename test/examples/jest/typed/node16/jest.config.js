// ts-jest warns about `node16` unless type checking is off, and these tests are about type checking.
const diagnostics = { ignoreCodes: [151002] }

module.exports = {
  displayName: 'moduleResolution node16',
  preset: 'ts-jest',
  rootDir: '..',
  testMatch: ['<rootDir>/*.spec.ts'],
  transform: {
    '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/node16/tsconfig.json', diagnostics }],
  },
}

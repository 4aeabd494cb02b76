// ts-jest warns of `node16` unless it may leave types unchecked, which these tests are about.
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

module.exports = {
  displayName: 'moduleResolution node',
  preset: 'ts-jest',
  rootDir: '..',
  testMatch: ['<rootDir>/*.spec.ts'],
  transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/node/tsconfig.json' }] },
}

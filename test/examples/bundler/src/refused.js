import assert from 'node:assert/strict'

await assert.rejects(import('../dist/whole.js'), /mark it as external/)
console.log('A bundle that contains the package refuses to start, and says what to do.')

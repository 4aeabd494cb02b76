import assert from 'node:assert/strict'

await assert.rejects(import('../dist/whole.js'), /mark it as external/)
console.log('A bundle that holds the package says what to do.')

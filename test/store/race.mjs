// Takes the lock of each folder at its instant, prints whether it got it, and holds what it got
// until its input ends: the lock of a process that has gone would be free for the other one.
// Arguments: the module of the lock, the instant of the first, and the folders.
const [module, startAt, ...folders] = process.argv.slice(2)
const APART_MS = 5
const { lockFolder } = await import(module)
const got = []
for (const [i, folder] of folders.entries()) {
  while (Date.now() < Number(startAt) + i * APART_MS);
  const lock = await lockFolder(folder).catch(() => undefined)
  got.push(lock !== undefined)
}
console.log(JSON.stringify(got))
process.stdin.on('end', () => process.exit()).resume()

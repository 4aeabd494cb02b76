/** What a test in an environment that stands for a browser does with a sandbox. */
exports.useSandbox = async ({ createSandbox, connectSandbox }) => {
  const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  try {
    const remote = connectSandbox(sandbox.url)
    const { from, to } = await remote.clock.advance('1h')
    const { status } = await sandbox.users.get('alice@example.com')
    return [typeof document, Date.parse(to) - Date.parse(from), status]
  } finally {
    await sandbox.close()
  }
}
exports.EXPECTED = ['object', 3_600_000, 'verified']

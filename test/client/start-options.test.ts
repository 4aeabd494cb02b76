import { expect, it } from 'vitest'
import { connectSandbox, createReceiver, createSandbox } from '../../src/index.ts'
import { CERT_FILE, KEY_FILE } from '../helpers/certificate.ts'
import { createFolder } from '../helpers/folder.ts'

it('createSandbox with the options of start sends the webhooks of the first integrator to webhookUrl', async () => {
  await using receiver = await createReceiver()
  await using sandbox = await createSandbox({ webhookUrl: receiver.url, fixture: 'cast' })
  await sandbox.simulate.kyc('alice@example.com', 'rejected')
  const { body } = await receiver.next()
  expect(JSON.parse(body)).toMatchObject({ type: 'user.update' })
})

it('createSandbox with the options of start asks for controlToken, which its own calls send', async () => {
  await using sandbox = await createSandbox({ controlToken: 'secret' })
  expect((await fetch(`${sandbox.url}/_sandbox/info`)).status).toBe(401)
  expect((await sandbox.info()).world).toBe('default')
})

it('createSandbox with the options of start keeps worlds in the folder of data from one sandbox to the next', async () => {
  const data = createFolder()
  const email = 'ana@example.com'
  {
    await using first = await createSandbox({ data, listen: false })
    await first.users.add(email)
  }
  await using second = await createSandbox({ data, listen: false })
  expect((await second.users.get(email)).email).toBe(email)
})

it('createSandbox with the options of start speaks https with tlsCert and tlsKey', async () => {
  await using sandbox = await createSandbox({ tlsCert: CERT_FILE, tlsKey: KEY_FILE })
  expect(sandbox.url).toMatch(/^https:/)
})

it('createSandbox with the options of start guards the control API beyond loopback as start does', async () => {
  const open = createSandbox({ host: '0.0.0.0' })
  await expect(open).rejects.toThrow('lets other machines reach the control API')
})

const WRONG: readonly [options: unknown, sentence: string][] = [
  [null, 'createSandbox takes an object, not null.'],
  [5, 'createSandbox takes an object, not 5.'],
  ['cast', 'createSandbox takes an object, not "cast".'],
  [{ port: 'x' }, 'port must be a whole number from 0 (any free one) to 65535, not "x".'],
  [{ port: 99_999 }, 'port must be a whole number from 0 (any free one) to 65535, not 99999.'],
  [{ host: '' }, 'host must be the name or address of a host, not "".'],
  [
    { fixture: 5 },
    'fixture must be the name of a fixture, the path of a file or an object, not 5.',
  ],
  [{ settings: 'x' }, 'settings must be an object of settings, not "x".'],
  [{ data: 5 }, 'data must be the path of a folder, not 5.'],
  [{ listen: 'no' }, 'listen must be true or false, not "no".'],
  [{ port: [5] }, 'port must be a whole number from 0 (any free one) to 65535, not [5].'],
  [{ publicUrl: 'x' }, 'publicUrl must be a base URL such as https://api.example.com, not "x".'],
  [{ publicUrl: 'https://me:pw@x.example.com' }, 'publicUrl must be a base URL such as'],
  [{ publicUrl: 'https://x.example.com/?a=1' }, 'publicUrl must be a base URL such as'],
  [{ allowHosts: 'x' }, 'allowHosts must be a list of hosts, not "x".'],
  [{ allowWebhookHosts: [5] }, 'allowWebhookHosts must be a list of hosts, not [5].'],
  [
    { webhookUrl: 'x' },
    'webhookUrl must be an http or https URL such as http://localhost:3000/hooks,',
  ],
  [{ controlToken: 5 }, 'controlToken must be a string, not 5.'],
  [{ controlToken: '' }, 'controlToken must be printable ASCII without spaces'],
  [{ tlsCert: CERT_FILE }, 'Give tlsCert and tlsKey together.'],
  [
    { allowHosts: ['*'] },
    'allowHosts takes names or addresses of hosts, such as sandbox.example.com; * is not one.',
  ],
  [
    { host: '0.0.0.0' },
    'host 0.0.0.0 lets other machines reach the control API, which needs no key: set controlToken.',
  ],
]

it.each(WRONG)(
  'createSandbox refuses %j with a sentence that names the option',
  async (options, sentence) => {
    const opening = createSandbox(options as object)
    await expect(opening).rejects.toMatchObject({
      name: 'SandboxError',
      message: expect.stringContaining(sentence),
    })
    await expect(opening).rejects.not.toThrow(/(^|\s)--\w/)
  },
)

it.each([
  ['connectSandbox', () => connectSandbox('http://127.0.0.1:9', { controltoken: 'x' } as object)],
  ['createReceiver', () => createReceiver({ ports: 1 } as object)],
])('%s refuses an unknown option', async (name, open) => {
  await expect((async () => await open())()).rejects.toMatchObject({
    name: 'SandboxError',
    message: expect.stringMatching(
      new RegExp(`^${name} has no option \\w+; did you mean \\w+\\?$`),
    ),
  })
})

it.each([['v2/quotes'], [undefined], ['']])(
  'the error for the path %j says how a path must begin',
  async (path) => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    const alice = await sandbox.login('alice@example.com')
    await expect(alice.get(path as string)).rejects.toMatchObject({
      code: 'invalid',
      message: `path must begin with /, unlike ${JSON.stringify(path)}.`,
    })
  },
)

it('a method of the library rejects a string where it takes an object', async () => {
  await using sandbox = await createSandbox({ listen: false })
  const calls = [
    () => sandbox.reset('cast' as never),
    () => sandbox.settings.set('quotes.ttl' as never),
    () => sandbox.events.list('x' as never),
    () => sandbox.events.next('x' as never),
    () => sandbox.users.list('x' as never),
  ]
  for (const call of calls) {
    await expect(call()).rejects.toThrow(/^[a-z.]+ takes an object, not "[a-z.]+"\.$/i)
  }
})

it('createSandbox leaves out an option that is null', async () => {
  const options = { data: null, allowHosts: null, listen: false } as object
  await using sandbox = await createSandbox(options)
  expect((await sandbox.info()).fixture).toBe('default')
})

it('a library method without a value that its path needs names that value', async () => {
  await using sandbox = await createSandbox({ listen: false })
  await expect(sandbox.users.get(undefined as never)).rejects.toMatchObject({
    code: 'invalid',
    message: 'users.get needs user, not undefined.',
  })
  await expect(sandbox.settings.get('')).rejects.toThrow('settings.get needs id, not "".')
  await expect(sandbox.inbox.loginCode('')).rejects.toThrow('inbox.loginCode needs email, not "".')
})

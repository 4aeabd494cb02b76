import { expect, it } from 'vitest'
import { createReceiver, createSandbox } from '../../src/index.ts'
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

import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { lookupFor, parseDestination } from '../../src/webhooks/destination.ts'
import { openScene } from './scene.ts'

const rules = { httpsOnly: false, allowHosts: [] as string[] }

it.each([
  'https://example.com/hooks',
  'https://[2606:4700::1111]/hook',
  'http://localhost:3000/hook',
  'http://api.app.localhost/hook',
  'http://127.0.0.1:3000/hook',
  'http://[::1]:3000/hook',
  `https://example.com/${'a'.repeat(2_048 - 20)}`,
])('a webhook URL may be %s', (url) => {
  expect(() => parseDestination(url, rules)).not.toThrow()
})

it.each([
  ['example.com/hooks', 'absolute URL'],
  ['javascript:alert(1)', 'absolute URL'],
  ['https://example.com/\n', 'a line break; write https://example.com/'],
  ['https://example.com/my hooks', 'a space; write https://example.com/my%20hooks'],
  [' https://example.com/hooks', 'a space; write https://example.com/hooks'],
  ['https://example.com/reçu', 'ç; write https://example.com/re%C3%A7u'],
  ['https://exämple.com/', 'ä; write https://xn--exmple-cua.com/'],
  ['https://user@example.com', 'user name or password'],
  ['https://example.com/#', 'fragment'],
  [`https://example.com/${'a'.repeat(2_048 - 19)}`, '2048 characters'],
  ['http://example.com/hook', 'must start with https://'],
  ['http://localhost.example.com', 'must start with https://'],
])('a webhook URL may not be %s', (url, reason) => {
  expect(() => parseDestination(url, rules)).toThrow(reason)
})

it.each([
  ['10.0.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['100.127.255.255', 'private'],
  ['169.254.169.254', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['0.0.0.0', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['167772161', 'private'],
  ['[fd00:ec2::254]', 'private'],
  ['[febf::1]', 'link-local'],
  ['[ff02::1]', 'multicast'],
  ['[::ffff:10.0.0.1]', 'IPv4 address in IPv6 form'],
  ['[::ffff:0:10.0.0.1]', 'IPv4 address in IPv6 form'],
  ['[64:ff9b::10.0.0.1]', 'IPv4 address in IPv6 form'],
])('a webhook URL may not point to %s, not even over https', (host, why) => {
  expect(() => parseDestination(`https://${host}/hook`, rules)).toThrow(why)
})

it.each(
  [
    ['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255'],
    ['192.169.0.0', '100.63.255.255', '100.128.0.0', '169.253.255.255', '169.255.0.0'],
    ['223.255.255.255', '[fbff::1]', '[fe00::1]', '[2003::1]'],
  ].flat(),
)('a webhook URL may point to %s, which is next to a refused range', (host) => {
  expect(() => parseDestination(`https://${host}/hook`, rules)).not.toThrow()
})

it.each([
  ['receiver', 'http://receiver:8080/hook'],
  ['10.0.0.5', 'http://10.0.0.5/hook'],
  ['receiver:8080', 'http://receiver:8080/hook'],
  ['[fd00::5]:80', 'http://[fd00::5]/hook'],
])('a webhook URL reaches the host %s when that is allowed by name', (allowed, url) => {
  expect(() => parseDestination(url, { ...rules, allowHosts: [allowed] })).not.toThrow()
  expect(() => parseDestination(url, { ...rules, allowHosts: ['another'] })).toThrow()
  expect(() => parseDestination(url, { ...rules, allowHosts: [`${allowed}1`] })).toThrow()
})

it('a webhook URL must be https if the setting says so', () => {
  const strict = { httpsOnly: true, allowHosts: ['receiver'] }
  expect(() => parseDestination('http://localhost/hook', strict)).toThrow('https://')
  expect(() => parseDestination('http://receiver/hook', strict)).toThrow('https://')
  expect(() => parseDestination('https://receiver/hook', strict)).not.toThrow()
})

const shared = { ...rules, isShared: true, ownPort: () => 4100 }
const [own] = Object.values(networkInterfaces())
  .flat()
  .filter((found) => found?.family === 'IPv4' && !found.internal)

it.each([
  ['localhost', 'this machine'],
  ['127.0.0.1', 'this machine'],
  ['[::1]', 'this machine'],
  ['10.0.0.1', 'private'],
])('a webhook URL of a shared sandbox may not point to %s', (host, why) => {
  expect(() => parseDestination(`https://${host}/hook`, shared)).toThrow(why)
  const allowHosts = [host.replace(/[[\]]/g, '')]
  const allowed = { ...shared, allowHosts }
  expect(() => parseDestination(`http://${host}/hook`, allowed)).not.toThrow()
})

it.runIf(own)(
  'a webhook URL of a shared sandbox may not point to the network that the machine is in',
  () => {
    expect(() => parseDestination(`https://${own?.address}/`, shared)).toThrow('must not point to')
  },
)

it('a webhook URL of a shared sandbox may point to its own catches, and to nothing else on its own port', () => {
  const at = (url: string) => () => parseDestination(url, shared)
  expect(at('http://localhost:4100/_sandbox/catch/me')).not.toThrow()
  expect(at('http://127.0.0.1:4100/w/team-1/_sandbox/catch/me?a=b')).not.toThrow()
  for (const url of [
    'http://localhost:4100/_sandbox/reset',
    'http://localhost:4100/_sandbox/catch/me/respond',
    'http://localhost:4100/_sandbox/catch/../reset',
    'http://localhost:4101/_sandbox/catch/me',
    'https://localhost:4100/_sandbox/catch/me',
  ]) {
    expect(at(url), url).toThrow('this machine')
  }
})

it('a webhook URL of a shared sandbox may not have a host name that resolves to this machine', async () => {
  await expect(look('localhost', false, true)).rejects.toThrow('this machine')
  await expect(look('localhost', true, true)).resolves.toBeDefined()
})

it.each(['10.0.0.1', '169.254.169.254', 'fe80::1', '::ffff:10.0.0.1'])(
  'a webhook URL may not have a host name that resolves to %s',
  async (host) => {
    await expect(look(host, false)).rejects.toThrow(`(${host})`)
    await expect(look(host, true)).resolves.toBe(host)
  },
)

it.each(['http://10.0.0.1/hook', 'no url at all'])(
  'a delivery to a destination that was never checked is blocked at %s, without a connection',
  async (url) => {
    await using scene = openScene({ urls: { alpha: url } })
    const delivery = await scene.deliver()
    expect(delivery).toMatchObject({ outcome: 'blocked', sent: null, response: null })
    expect(delivery.reason).toMatch(/^url must/)
  },
)

function look(host: string, isAllowed: boolean, isShared = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = new URL(`https://${isIPv6(host) ? `[${host}]` : host}/`)
    const allowHosts = isAllowed ? [host] : []
    lookupFor(url, { allowHosts, isShared })(host, {}, (error, address) =>
      error ? reject(error) : resolve(String(address)),
    )
  })
}

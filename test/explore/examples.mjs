// The receivers of examples and docs: those that keep state are explored, the others say why not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Those that keep state, by name: the files that they are made of. */
export const EXPLORED = {
  wallet: [
    'test/examples/wallet/src/webhook.js',
    'test/examples/wallet/src/wallet.js',
    'test/examples/wallet/src/server.js',
    'docs/explore.md js',
  ],
  orders: ['test/examples/receivers/orders.js', 'test/examples/receivers/webhook.js'],
  jest: ['test/examples/jest/src/receiver.js'],
  'receiver.mjs': ['test/examples/receivers/receiver.mjs'],
  'receiver.py': ['test/examples/receivers/receiver.py'],
  'test_buy.py': ['test/examples/clients/test_buy.py'],
}

/** The others, by what they do in place of keeping state. */
const LEFT_OUT = {
  'prints each event that comes': [
    'test/examples/receivers/app/webhooks/route.js',
    'test/examples/receivers/express.js',
    'test/examples/receivers/fastify.js',
    'test/examples/receivers/nest.ts',
  ],
  'verifies, and looks no further': [
    'docs/webhooks.md csharp',
    'docs/webhooks.md go',
    'docs/webhooks.md java',
    'docs/webhooks.md php',
    'docs/webhooks.md python',
    'docs/webhooks.md ruby',
  ],
}

/** What a program that takes webhooks is recognised by. */
const TAKES_WEBHOOKS =
  /x.service.signature|\b(isGenuine|onEvent|applyEvent|createWebhookHandler)\b/i
const FENCE = /^(<!-- test\/examples\/.*\n)?^```(\w+)\n([\s\S]*?)^```/gm

/** Receivers of examples and docs that nobody has listed here, and listed ones that are gone. */
export function findForgotten() {
  const there = [...listFiles(), ...listBlocks()]
  const listed = Object.values({ ...EXPLORED, ...LEFT_OUT }).flat()
  return {
    unlisted: there.filter((name) => !listed.includes(name)),
    gone: listed.filter((name) => !there.includes(name)),
  }
}

const read = (path) => readFileSync(join(root, path), 'utf8')

const listIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path))

function listFiles() {
  return listIn('test/examples')
    .filter((path) => /\.(m?[jt]sx?|py|go|rb|php|java)$/.test(path))
    .filter((path) => !/node_modules|\/dist\//.test(path))
    .filter((path) => TAKES_WEBHOOKS.test(read(path)))
}

/** Code of pages, by page and language; what is copied from an example is listed as its file. */
function listBlocks() {
  const pages = ['README.md', ...listIn('docs'), ...listIn('skills')]
  return pages
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) =>
      [...read(page).matchAll(FENCE)]
        .filter(([, file, , code]) => !file && TAKES_WEBHOOKS.test(code))
        .map(([, , language]) => `${page} ${language}`)
        .map((name, at, names) => (names.indexOf(name) < at ? `${name}, again` : name)),
    )
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findForgotten } from '../explore/examples.mjs'
import { right } from '../explore/shop.mjs'
import { runInProcess } from '../helpers/in-process.ts'
import { openReceiver } from './shop-receiver.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/explore.md'), 'utf8')

it('explore runs the command of its page', async () => {
  await using receiver = await openReceiver(right)
  const [, command = ''] = /^```sh\nnpx --no -- ramp-sandbox ([\s\S]*?)^```/m.exec(PAGE) ?? []
  const words = command.replaceAll('\\\n', '').trim().split(/\s+/)
  const args = words.map((word) =>
    word.replace(/^(http:\/\/)?localhost:3000(\/test|\/jobs)?/, receiver.url),
  )
  const { code, out } = await runInProcess([...args, '--port', '0', '--only', 'complete is lost'])
  expect(out).toContain('Passed: lost 1 of 1\n')
  expect(code).toBe(0)
})

it('test:explore runs every receiver of the examples and docs, or says why not', () => {
  expect(findForgotten()).toEqual({ unlisted: [], gone: [] })
})

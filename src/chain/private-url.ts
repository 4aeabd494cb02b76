import { lookup } from 'node:dns/promises'
import { findForbidden, isLoopbackHost } from '../webhooks/address.ts'
import { chainError } from './rpc.ts'

/** Rejects a node that strangers reach: it would let them see, and pay for, what a test does. */
export async function assertPrivate(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw chainError(`The chain is the URL of a node such as http://127.0.0.1:8545, not ${url}.`)
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw chainError(`The chain's host ${host} is not found: ${error.code}.`)
  })
  const isPublic = ({ address }: { address: string }) =>
    !isLoopbackHost(address) && findForbidden(address) !== 'a private address'
  const foreign = found.find(isPublic)
  if (foreign) {
    throw chainError(`A chain is at a private address, and ${url} is at ${foreign.address}.`)
  }
}

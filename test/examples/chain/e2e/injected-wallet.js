import { createWalletClient, http } from 'viem'

/** Puts a wallet into a page as an extension does; `reject` makes its user say no. */
export async function injectWallet(page, { account, node }) {
  const signer = createWalletClient({ account, transport: http(node) })
  let isWilling = true
  await page.exposeFunction('askWallet', answer)
  await page.addInitScript(() => {
    window.ethereum = {
      on() {},
      removeListener() {},
      async request(asked) {
        const { result, error } = await window.askWallet(asked)
        if (error) throw Object.assign(new Error(error.message), error)
        return result
      },
    }
  })
  return {
    address: account.address,
    reject() {
      isWilling = false
    },
  }

  async function answer({ method, params }) {
    try {
      return { result: await request(method, params) }
    } catch ({ code, message }) {
      return { error: { code, message } }
    }
  }

  async function request(method, params) {
    if (/^eth_(requestA|a)ccounts$/.test(method)) return [account.address]
    if (method !== 'eth_sendTransaction') return signer.request({ method, params })
    if (!isWilling) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    const [{ to, data }] = params
    return signer.sendTransaction({ to, data, chain: null })
  }
}

const view = new URLSearchParams(location.search).get('view')

/** True if the page is only the wallet, on a real phone or embedded in another page. */
export const isWalletOnly = view === 'wallet'
/** True if the page is the right phone of a split, framed by the page that made it. */
export const isFork = view === 'fork'

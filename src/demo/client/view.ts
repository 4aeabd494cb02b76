const view = new URLSearchParams(location.search).get('view')

/** Whether the page is the wallet alone: in the hand, or embedded in another page. */
export const isWalletOnly = view === 'wallet'
/** Whether the page is the right phone of a split, in a frame of the page that made it. */
export const isFork = view === 'fork'

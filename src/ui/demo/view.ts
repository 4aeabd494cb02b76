/** True if the page is only the wallet, on a real phone. */
export const isWalletOnly = new URLSearchParams(location.search).get('view') === 'wallet'

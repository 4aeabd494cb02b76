import type { OperationNotes } from '../notes.ts'

export const legacyNotes = {
  v1SendLoginCode: {
    about: `Sends a code of 4 digits to a user who is registered and verified. In this sandbox it arrives at
\`GET /_sandbox/inbox?kind=login-code\`; \`v1VerifyLoginCode\` exchanges it for an access token.`,
    success: 'The code was sent.',
  },
  v1VerifyLoginCode: {
    about: `Exchanges the newest login code of a user for an access token. Each code works once. The token is the
same as that of v2 and is accepted by both versions.`,
    success: 'The user is logged in: here is the token.',
  },
  v1GenerateApiLink: {
    about: `Registers a user with a whole profile and makes a link to the page where the user identifies. When a
decision is made there, the status of the user changes and webhooks are sent.`,
    success: 'The user is registered: here is the link.',
  },
  v1FindUser: {
    about: `Finds the user with an e-mail address, in upper or lower case. Unlike v2 it answers 404 when there is
none.`,
    success: 'The user that has this address.',
  },
  v1ImportUser: {
    about: `Takes over a verification that another service made. The user is found by the e-mail address in the
share token and becomes \`verified\` at once, which webhooks report.`,
    success: 'The user is verified.',
  },
  v1PriceQuote: {
    about: `Prices an exchange and locks its rate for a while. Create the transaction with the \`quoteId\`: a
quote of either version works in both.`,
    success: 'The quote, with what it costs.',
  },
  v1CreateTransaction: {
    about: `Creates a buy or a sell for a verified user at the rate of a quote, which \`v1PriceQuote\` makes
first. It expires an hour (buy) or a day (sell) later unless the user pays. Webhooks report this and
every change of the status.`,
    success: 'The transaction is created and waits for the user to pay.',
  },
  v1GetTransaction: {
    about: `Reads one transaction of the user with its present status. Those that were created through v2 are
found as well.`,
    success: 'The transaction as it is now.',
  },
  v1GetWebhooks: {
    about: `Reads which legacy webhooks are on and where they go. They are sent beside those of v2 until all four
are switched off.`,
    success: 'The four switches and URLs.',
  },
  v1PatchWebhooks: {
    about: `Changes the switches and URLs that are sent; the others stay. A webhook is sent while it is switched
on and has somewhere to go: its own URL, or the only one of the four. Setting all four switches to false
ends the legacy webhooks. Before \`v1MakeSigningSecret\` they have no signature.`,
    success: 'The four switches and URLs as they are now.',
  },
  v1MakeSigningSecret: {
    about: `Makes the signing secret of webhooks, or replaces it. It is the same secret that signs the webhooks
of v2, so give the new one to every receiver at once.`,
    success: 'The new secret, which is not shown again.',
  },
} satisfies OperationNotes

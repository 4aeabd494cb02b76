import type { OperationNotes } from '../notes.ts'

export const v2Notes = {
  sendLoginCode: {
    about: `Sends a code of 4 digits to a user who is registered and verified. In this sandbox it arrives at
\`GET /_sandbox/inbox?kind=login-code\`. Only the newest code of a user works, once and for a while;
\`verifyLoginCode\` exchanges it for an access token.`,
    success: 'The code was sent.',
  },
  verifyLoginCode: {
    about: `Exchanges the code that \`sendLoginCode\` sent for an access token, with which you act for the user.
Each code works once, and too many wrong ones spend it. When the token has expired, send a new code.
A login links you to the user: from then on you are sent its \`user.update\`.`,
    success: 'The user is logged in: here is the token.',
  },
  createUser: {
    about: `Registers a user by e-mail address. Fields that are left out are reported as outstanding by
\`getRequirements\` and can be sent later with \`updateUser\`, all but \`phone\`. The user still needs
a verified identity: \`createKycLink\` or \`importKyc\` comes next.`,
    success: 'The user is registered.',
  },
  findUsers: {
    about: `Finds the user with an e-mail address, in upper or lower case. Use the id for every other call
about this user.`,
    success: 'A list with the user, or an empty one.',
  },
  updateUser: {
    about: `Replaces the profile fields that are sent; the others stay. Send what \`getRequirements\` reports as
outstanding, one field at a time or all at once, and read it again afterwards. No event follows.`,
    success: 'The fields are stored.',
  },
  getRequirements: {
    about: `Lists what onboarding still lacks: profile fields, and \`kyc\` while the user is not verified.
\`updateUser\` supplies the fields, \`createKycLink\` or \`importKyc\` the verification.`,
    success: 'What is outstanding; an empty list when nothing is.',
  },
  createKycLink: {
    about: `Makes a link to the page where the user identifies, to be opened in a browser for as long as it is
valid. When a decision is made there, the status of the user changes and \`user.update\` is sent. In
this sandbox \`POST /_sandbox/simulate/users/{user}/kyc\` decides without the page.`,
    success: 'The link, and until when it is valid.',
  },
  importKyc: {
    about: `Takes over a verification that another service made, with a share token of the shared-KYC provider.
The user becomes \`verified\` at once, which \`user.update\` reports to every integrator that is linked,
you included. In this sandbox
\`POST /_sandbox/simulate/share-tokens\` makes such a token.`,
    success: 'The user is verified.',
  },
  createQuote: {
    about: `Prices an exchange and locks its rate until \`expiresAt\`. Create the transaction with the \`quoteId\`
before then. Amounts beyond the limits are quoted too: those apply when the transaction is created.`,
    success: 'The quote, with what it costs.',
  },
  getLimits: {
    about: `Reads what one transaction of this user may be worth, by the currency that the user pays with. The
bounds of coins follow the current rate, so do not cache them.`,
    success: 'The bounds, by currency.',
  },
  createTransaction: {
    about: `Creates a buy or a sell for a verified user at the rate of a quote, which \`createQuote\` makes first.
A buy waits for the user's e-transfer for an hour, a sell for coins at \`depositAddress\` for a day;
then it expires. \`transaction.update\` is sent now and for each change of the status.`,
    success: 'The transaction is created and waits for the user to pay.',
  },
  listTransactions: {
    about: `Lists the transactions that you created for the user, a page at a time. Go on with a greater
\`offset\` until it reaches \`total\`.`,
    success: 'A page of transactions.',
  },
  getTransaction: {
    about: `Reads a transaction with its present status. Webhooks are sent once and not retried, so read it
again when one may have been lost.`,
    success: 'The transaction as it is now.',
  },
  cancelTransaction: {
    about: `Cancels a transaction that waits for the user to pay; once the payment has arrived it is too late.
\`transaction.update\` is sent. The transaction then counts towards the limit for cancelled and
expired ones.`,
    success: 'The transaction is cancelled.',
  },
  putWebhookConfiguration: {
    about: `Sets the one URL to which all events of v2 are sent, or replaces it. The first call of an integrator
without a secret also answers the signing secret, which is not shown again.`,
    success: 'Events go to this URL from now on.',
  },
  getWebhookConfiguration: {
    about: `Reads where events are sent, as \`putWebhookConfiguration\` set it. The signing secret is not shown:
rotate it when it is lost.`,
    success: 'The configuration, without the secret.',
  },
  deleteWebhookConfiguration: {
    about: `Removes the URL, so that no more events of v2 are sent. The signing secret stays, and legacy webhooks
are not affected.`,
    success: 'No more events are sent.',
  },
  testWebhookConfiguration: {
    about: `Sends a synthetic event, about nobody, to the configured URL, signed like any other, and waits for the
answer. Set a URL first with \`putWebhookConfiguration\`.`,
    success: 'What the receiver answered, also where it answered an error or nothing.',
  },
  rotateSigningSecret: {
    about: `Replaces the signing secret. Events from now on are signed with the new one, so give it to your
receiver at once. There must be a secret already: \`putWebhookConfiguration\` makes the first.`,
    success: 'The new secret, which is not shown again.',
  },
  submitKyb: {
    about: `Submits a business for verification with its documents, which are checked for their form and not for
their content. No user and no event is involved. In this sandbox \`GET /_sandbox/kyb-submissions\`
lists what was submitted.`,
    success: 'The submission was received.',
  },
} satisfies OperationNotes

/** Every refusal: its status, the place in the request as a JSON pointer, its wording. */
const REFUSALS = {
  internal: [500, '', 'Unexpected.'],
  too_fast: [429, '', 'Slow down.'],
  no_key: [401, '/x-api-key', 'An API key is needed.'],
  wrong_key: [401, '/x-api-key', 'The API key is not one of ours.'],
  no_token: [401, '/authorization', 'Sign the customer in first.'],
  wrong_token: [401, '/authorization', 'The token is not one of ours.'],
  old_token: [401, '/authorization', 'The token has run out.'],
  other_user: [403, '/userId', 'This is another customer.'],
  no_path: [404, '', 'Nothing is here.'],
  no_method: [405, '', 'This cannot be done here.'],
  gone: [410, '', 'Version 1 has ended.'],
  not_json: [400, '', 'This is not JSON.'],
  missing: [400, '', 'This is needed.'],
  malformed: [400, '', 'This has the wrong form.'],
  not_accepted: [400, '', 'This is not accepted.'],
  no_user: [404, '/email', 'There is no such customer.'],
  taken: [409, '/email', 'There is such a customer already.'],
  not_verified: [403, '/email', 'The customer is not verified.'],
  wrong_code: [401, '/code', 'The code is wrong or too old.'],
  wrong_share_token: [422, '/shareToken', 'The token does not lead to a verification.'],
  no_pair: [400, '/rightSideLabel', 'This pair is not traded.'],
  no_quote: [404, '/quoteId', 'There is no such quote.'],
  old_quote: [422, '/quoteId', 'The quote has run out.'],
  used_quote: [409, '/quoteId', 'The quote was used.'],
  other_label: [400, '', 'The quote is about something else.'],
  too_small: [400, '/leftSideValue', 'That is too little.'],
  too_large: [400, '/leftSideValue', 'That is too much.'],
  too_many_open: [400, '', 'Three transactions are open.'],
  too_many_ended: [400, '', 'Ten transactions were cancelled or expired today.'],
  no_transaction: [404, '/txId', 'There is no such transaction.'],
  not_pending: [409, '/status', 'It cannot be cancelled any more.'],
  no_webhook: [404, '', 'No URL is configured.'],
}

export class Refusal extends Error {
  constructor(name, at) {
    const [status, field, message] = REFUSALS[name]
    super(message)
    Object.assign(this, { name, status, field: at ?? field })
  }
}

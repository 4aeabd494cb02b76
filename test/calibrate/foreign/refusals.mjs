/** Every error of the provider: its status, the field it names, its wording. */
const REFUSALS = {
  internal: [500, '', 'Something went wrong on our side.'],
  too_large: [413, '', 'The body is too large.'],
  not_json: [400, 'body', 'The body is not a JSON object.'],
  unknown_field: [422, '', 'This field is not known.'],
  missing_field: [422, '', 'This is needed.'],
  bad_field: [422, '', 'This is malformed.'],
  api_key_missing: [401, 'apiKey', 'Send your API key.'],
  api_key_wrong: [403, 'apiKey', 'Not a key of ours.'],
  slow_down: [429, 'apiKey', 'Too many requests.'],
  token_missing: [401, 'accessToken', 'Send an access token.'],
  token_invalid: [401, 'accessToken', 'Log in again.'],
  token_expired: [401, 'accessToken', 'Log in again.'],
  user_unknown: [404, 'userId', 'No such user.'],
  email_taken: [422, 'email', 'This address is registered.'],
  too_young: [422, 'dob', 'The user is too young.'],
  share_token_bad: [422, 'share_token', 'The token is malformed, expired or incomplete.'],
  code_invalid: [400, 'code', 'This code cannot be used.'],
  onboarding_incomplete: [403, 'requirements', 'Read the requirements of this user.'],
  quote_unknown: [404, 'quoteId', 'No such quote.'],
  quote_spent: [409, 'quoteId', 'This quote was used.'],
  quote_expired: [410, 'quoteId', 'This quote has expired.'],
  quote_mismatch: [422, 'quoteId', 'The quote says otherwise.'],
  bad_wallet: [422, 'wallet', 'No address of this chain.'],
  limit_value: [400, 'leftSideValue', 'Outside the limits of a transaction.'],
  transaction_unknown: [404, 'txId', 'No such transaction.'],
  not_pending: [409, 'status', 'The transaction is past that.'],
  not_configured: [409, 'url', 'There is no configuration.'],
  gone: [410, '', 'v1 was shut down.'],
}

/** Thrown where a request is refused; the transport words it for v2 or v1. */
export class Refusal extends Error {
  headers = {}

  constructor(code, { field, message } = {}) {
    const [status, standardField, standardMessage] = REFUSALS[code]
    super(message ?? standardMessage)
    this.status = status
    this.problems = [{ field: field ?? standardField, message: this.message, code }]
    if (code.startsWith('token')) this.headers = { 'www-authenticate': 'Bearer' }
  }
}

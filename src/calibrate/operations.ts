/** One operation of the contract. */
interface ContractOperation {
  id: string
  method: string
  path: string
}

/** The operations of the contract; a test compares them with those that the sandbox offers. */
export const CONTRACT_OPERATIONS: readonly ContractOperation[] = [
  ['sendLoginCode', 'POST', '/v2/auth/login-codes'],
  ['verifyLoginCode', 'POST', '/v2/auth/login-codes/verify'],
  ['createUser', 'POST', '/v2/users'],
  ['findUsers', 'GET', '/v2/users'],
  ['updateUser', 'PATCH', '/v2/users/:userId'],
  ['getRequirements', 'GET', '/v2/users/:userId/requirements'],
  ['createKycLink', 'GET', '/v2/users/:userId/kyc-url'],
  ['importKyc', 'PUT', '/v2/users/:userId/kyc'],
  ['createQuote', 'GET', '/v2/quotes'],
  ['getLimits', 'GET', '/v2/limits'],
  ['createTransaction', 'POST', '/v2/transactions'],
  ['listTransactions', 'GET', '/v2/transactions'],
  ['getTransaction', 'GET', '/v2/transactions/:txId'],
  ['cancelTransaction', 'PUT', '/v2/transactions/:txId/cancel'],
  ['putWebhookConfiguration', 'PUT', '/v2/webhook-configurations'],
  ['getWebhookConfiguration', 'GET', '/v2/webhook-configurations'],
  ['deleteWebhookConfiguration', 'DELETE', '/v2/webhook-configurations'],
  ['testWebhookConfiguration', 'POST', '/v2/webhook-configurations/test'],
  ['rotateSigningSecret', 'POST', '/v2/webhook-configurations/signing-secret/rotate'],
  ['submitKyb', 'POST', '/submitKYB'],
  ['v1SendLoginCode', 'POST', '/loginCodeSend'],
  ['v1VerifyLoginCode', 'POST', '/loginCodeVerify'],
  ['v1GenerateApiLink', 'POST', '/generateApiLink'],
  ['v1FindUser', 'GET', '/apiFindUser'],
  ['v1ImportUser', 'POST', '/sumsubImportUser'],
  ['v1PriceQuote', 'GET', '/priceQuote'],
  ['v1CreateTransaction', 'POST', '/transaction'],
  ['v1GetTransaction', 'GET', '/transaction'],
  ['v1GetWebhooks', 'GET', '/webhooks'],
  ['v1PatchWebhooks', 'PATCH', '/webhooks'],
  ['v1MakeSigningSecret', 'POST', '/webhook-signing-secret'],
].map(([id = '', method = '', path = '']) => ({ id, method, path }))

export function findOperation(method: string, path: string): ContractOperation | undefined {
  const parts = path.split('/')
  return CONTRACT_OPERATIONS.find((operation) => {
    const expected = operation.path.split('/')
    return (
      operation.method === method &&
      expected.length === parts.length &&
      expected.every((part, i) => part.startsWith(':') || part === parts[i])
    )
  })
}

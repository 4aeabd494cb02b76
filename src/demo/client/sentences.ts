import { language } from './words.ts'

/** What each call is for, in a sentence that a room can read. */
const SENTENCES: readonly (readonly [pattern: RegExp, en: string, fr: string])[] = [
  [/^GET \/v2\/quotes/, 'asks for a price', 'demande un prix'],
  [/^GET \/v2\/limits/, 'reads the limits', 'lit les limites'],
  [/^POST \/v2\/transactions/, 'places the order', 'passe la commande'],
  [/^GET \/v2\/transactions/, 'reads the orders', 'lit les commandes'],
  [/^PUT \/v2\/transactions/, 'cancels the order', 'annule la commande'],
  [/^PUT \/v2\/webhook/, 'says where to send webhooks', 'dit où envoyer les webhooks'],
  [/^GET \/v2\/users\?/, 'looks for the customer', 'cherche le client'],
  [/^POST \/v2\/users$/, 'registers the customer', 'inscrit le client'],
  [/requirements$/, 'asks what is missing', 'demande ce qui manque'],
  [/^PATCH \/v2\/users/, 'adds what is missing', 'ajoute ce qui manque'],
  [/kyc-url$/, 'asks for an identity check', 'demande une vérification d’identité'],
  [/login-codes\/verify$/, 'logs the customer in', 'connecte le client'],
  [/login-codes$/, 'asks for a login code', 'demande un code de connexion'],
  [/^user\.update: (.*)/, 'is told: the customer is $1', 'apprend : client $1'],
  [/^transaction\.update: (.*)/, 'is told: the order is $1', 'apprend : commande $1'],
  [/^To [^:]*: (.*)/, 'e-mail to the customer: $1', 'courriel au client : $1'],
  [/\/kyc/, 'the reviewer decides', 'le réviseur décide'],
  [/\/settled$/, 'the provider pays out', 'le fournisseur verse'],
  [/\/funds-received$/, 'the coins arrive', 'les monnaies arrivent'],
  [/\/bank-refused$/, 'the bank declines', 'la banque refuse'],
  [/\/bank\//, 'the bank sends the money', 'la banque envoie l’argent'],
  [/\/clock\/advance$/, 'time passes', 'le temps passe'],
]

export function sayRow(kind: string, title: string): string | undefined {
  const found = SENTENCES.find(([pattern]) => pattern.test(title))
  if (!found) return undefined
  const [pattern, en, fr] = found
  const says = language === 'fr' ? fr : en
  const match = pattern.exec(title)
  return kind === 'call' || match ? says.replace('$1', match?.[1] ?? '') : undefined
}

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as z from 'zod'
import { openApp, sendTo, type TestApp } from './helpers/app.ts'
import { validKyb } from './helpers/kyb.ts'

const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n')
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const toUri = (type: string, content: Buffer | string) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`

const KYB = {
  ...validKyb(),
  corporation_base64_url: [
    { name: 'articles.pdf', type: 'application/pdf', url: toUri('application/pdf', PDF) },
    { name: 'logo.png', type: 'image/png', url: toUri('image/png', PNG) },
  ],
  corporation_name: 'Zoë 漢字 🙂 Inc.',
  incorpCertData: [toUri('application/pdf', PDF)] as unknown,
}

const KybResponse = z.strictObject({ message: z.string().min(8), status: z.string().min(1) })

let app: TestApp
beforeEach(() => {
  app = openApp()
})
afterEach(() => app.close())

async function submit(body: unknown, { key = 'sandbox-key' } = {}) {
  const sent = typeof body === 'string' ? { text: body } : { body }
  const response = await sendTo(app, 'POST /submitKYB', { key, ...sent })
  return { status: response.status, ...{ body: KybResponse.parse(JSON.parse(response.text)) } }
}

async function refused(body: unknown): Promise<string> {
  const response = await submit(body)
  expect(response.status, response.body.message).toBe(400)
  expect(response.body.status).toBe('error')
  expect((await app.control('GET', '/kyb-submissions')).total).toBe(0)
  return response.body.message
}

it('submitKYB registers a business, and its documents are shown by their fingerprints', async () => {
  expect(await submit(KYB)).toEqual({
    status: 200,
    body: { message: 'KYB submitted', status: 'success' },
  })
  const { items, total } = await app.control('GET', '/kyb-submissions')
  expect(total).toBe(1)
  const sha256 = createHash('sha256').update(PDF).digest('hex')
  const { corporation_base64_url, incorpCertData, ...rest } = KYB
  expect(items[0].submission).toMatchObject(rest)
  expect(items[0].submission.corporation_base64_url).toEqual([
    { name: 'articles.pdf', type: 'application/pdf', size: PDF.length, sha256 },
    expect.objectContaining({ name: 'logo.png', type: 'image/png', size: PNG.length }),
  ])
  expect(items[0].submission.incorpCertData).toEqual([
    { name: null, type: 'application/pdf', size: PDF.length, sha256 },
  ])
})

it('submitKYB accepts one certificate as a string, like the sample in the contract', async () => {
  expect((await submit({ ...KYB, incorpCertData: 'BC1234567' })).status).toBe(200)
  expect((await submit({ ...KYB, incorpCertData: toUri('image/png', PNG) })).status).toBe(200)
  const { items } = await app.control('GET', '/kyb-submissions')
  expect(items[0].submission.incorpCertData).toEqual(['BC1234567'])
  expect(items[1].submission.incorpCertData[0].type).toBe('image/png')
})

it.each(Object.keys(KYB))('submitKYB requires %s', async (field) => {
  expect(await refused({ ...KYB, [field]: undefined })).toBe(`${field} is required.`)
})

it.each([
  'authorized_user_data',
  'corporation_address',
  'list_of_directors',
  'list_of_quarter_owners',
] as const)('submitKYB names what is missing within %s', async (field) => {
  const message = await refused({ ...KYB, [field]: {} })
  for (const inner of Object.keys(KYB[field])) {
    expect(message).toContain(`${field}.${inner} is required.`)
  }
})

it('submitKYB takes a number of 30 digits', async () => {
  expect((await submit({ ...KYB, corporation_number: '1'.repeat(30) })).status).toBe(200)
})

it.each([
  ['defi_transactions', 'business_revenue'],
  ['merchant_transactions', 'grants'],
  ['payments', 'investments_treasury'],
  ['payroll', 'loans_financing'],
  ['trading_investments', 'grants'],
  ['treasury_management', 'grants'],
])('submitKYB takes the purpose %s and the source %s', async (purpose, source_of_funds) => {
  expect((await submit({ ...KYB, purpose, source_of_funds })).status).toBe(200)
})

it.each([
  [{ source_of_funds: 'gambling' }, 'source_of_funds must be business_revenue, grants'],
  [{ purpose: 'gambling' }, 'purpose must be defi_transactions, merchant_transactions'],
  [{ paytrie_email: 'a@b' }, 'paytrie_email must be an e-mail address.'],
  [{ corporation_number: '12-34' }, 'corporation_number must be 1 to 30 digits'],
  [{ corporation_number: '1'.repeat(31) }, 'corporation_number must be 1 to 30 digits'],
  [{ corporation_number: 1234567 }, 'corporation_number must be a string, not 1234567.'],
  [{ corporate_phone: '1'.repeat(501) }, 'corporate_phone may have at most 500 characters.'],
  [{ corporate_phone: null }, 'corporate_phone is required.'],
  [{ is_quarter_owner: true }, 'list_of_quarter_owners.quarterOwners must not be empty.'],
  [{ date_of_incorp: '2026-07-02' }, 'date_of_incorp must not be after'],
  [{ date_of_incorp: '2023-02-30' }, 'date_of_incorp must be a real date'],
  [{ incorpCertData: ' ' }, 'must not be empty.'],
  [{ is_pep: 'false' }, 'is_pep must be a boolean, not "false".'],
  [{ incorpCertData: [] }, 'incorpCertData must have at least 1 entry.'],
  [
    { authorized_user_data: { ...KYB.authorized_user_data, dob: '2010-01-01' } },
    'authorized_user_data.dob must be at least 18 years before the world’s date',
  ],
])('submitKYB refuses %o', async (wrong, message) => {
  expect(await refused({ ...KYB, ...wrong })).toContain(message)
})

it('submitKYB ignores fields that the contract does not name, or refuses them as a setting says', async () => {
  const [document] = KYB.corporation_base64_url
  const nested = { ...KYB, corporation_base64_url: [{ ...document, surprise: 1 }] }
  const statuses = async () =>
    [await submit({ ...KYB, surprise: 1 }), await submit(nested)].map(({ status }) => status)
  expect(await statuses()).toEqual([200, 200])
  await app.control('PATCH', '/settings', { 'status.unknown-field': 400 })
  expect(await statuses()).toEqual([400, 400])
})

const withDocument = (document: object) => ({ ...KYB, corporation_base64_url: [document] })

it.each([
  ['Application/PDF', 'data:application/pdf;base64,dGVzdA=='],
  ['text/plain', 'data:text/plain;charset=utf-8;base64,dGVzdA=='],
  ['application/x-unheard-of', toUri('application/x-unheard-of', Buffer.from([0, 1, 2]))],
])('documents of the type %s are accepted whatever they contain', async (type, url) => {
  expect((await submit(withDocument({ name: 'file', type, url }))).status).toBe(200)
})

it.each([
  ['https://example.com/articles.pdf', 'url must be a data URI in base64'],
  ['data:application/pdf;base64,', 'url holds an empty document.'],
  ['data:application/pdf;base64,JVBER*==', 'url is not padded base64'],
  [toUri('image/png', PNG), 'type is application/pdf, but its data URI says image/png.'],
])('documents given as %s are refused', async (url, message) => {
  const document = { name: 'articles.pdf', type: 'application/pdf', url }
  expect(await refused(withDocument(document))).toContain(message)
})

it('documents may fill 20 MiB, and not one byte more', async () => {
  const limit = 20 * 1024 * 1024
  const filled = (size: number) => {
    const url = toUri('application/pdf', PDF)
    const document = { name: 'big.pdf', type: 'application/pdf', url }
    const empty = Buffer.byteLength(JSON.stringify(withDocument(document)))
    const groups = Math.floor((size - empty) / 4)
    const body = withDocument({
      ...document,
      url: url.replace(/=*$/, '') + 'A'.repeat(groups * 4),
    })
    const text = JSON.stringify(body)
    return text + ' '.repeat(size - Buffer.byteLength(text))
  }
  expect((await submit(filled(limit))).status).toBe(200)
  expect((await submit(filled(limit + 1))).status).toBe(413)
  const { items } = await app.control('GET', '/kyb-submissions')
  expect(items[0].submission.corporation_base64_url[0].size).toBeGreaterThan(15_000_000)
  expect(JSON.stringify(await app.control('GET', '/requests')).length).toBeLessThan(1_000_000)
})

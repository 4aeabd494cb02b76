import { describe, expect, it } from 'vitest'
import { openControl } from './control.ts'

const messages = ({ errors }: { errors: { message: string }[] }) =>
  errors.map(({ message }) => message)

describe('a refusal of the control API says what would work', () => {
  it.each([
    [
      '/faults',
      { on: 'api', match: { operaton: 'x' }, then: { status: 503 } },
      'match.operaton is not a field of this request; did you mean operation?',
    ],
    [
      '/faults',
      { on: 'api', then: { stauts: 503 } },
      'then.stauts is not a field of this request; did you mean status?',
    ],
    [
      '/faults',
      { on: 'webhook', then: { drop: true, what: 1 } },
      'then.what is not a field of this request; there are drop, delay, duplicate, reorder, ' +
        'signature, timestamp, envelopeId, beforeResponse.',
    ],
    [
      '/faults',
      { on: 'apii', then: { status: 503 } },
      'on must be one of api, webhook, not "apii".',
    ],
    [
      '/clock/advance',
      { duration: '1h' },
      'duration is not a field of this request; there are by, to, toNext, deliver.',
    ],
    [
      '/simulate/users/alice@example.com/kyc',
      { status: 'verified', reason: 'x' },
      'reason is not a field of this request; did you mean reasons?',
    ],
  ])('%s %j', async (path, body, message) => {
    await using control = openControl()
    expect(messages(await control.refused('POST', path, { body }))).toContain(message)
  })

  it.each([
    ['GET', '/clok', 'GET /_sandbox/clock'],
    ['POST', '/clock/advanc', 'POST /_sandbox/clock/advance'],
    ['POST', '/simulate/transaction/x/funds-recieved', ':id/funds-received'],
    ['GET', '/event', 'GET /_sandbox/events'],
  ])('%s %s', async (method, path, route) => {
    await using control = openControl()
    const { status, detail } = await control.refused(method, path)
    expect(status).toBe(404)
    expect(detail).toContain(route)
  })
})

describe('a clock that cannot be advanced so', () => {
  it.each([
    [{ by: 0 }, 'not-forward'],
    [{ by: '0s' }, 'not-forward'],
    [{ to: '2026-07-01T12:00:00Z' }, 'not-forward'],
    [{ to: '2020-01-01T00:00:00Z' }, 'not-forward'],
  ])('says what would work: %j', async (body, code) => {
    await using control = openControl()
    const refused = await control.refused('POST', '/clock/advance', { body })
    expect(refused).toMatchObject({ status: 400, code })
    expect(refused.detail).toContain('above 0, such as 1h')
    expect(refused.detail).toContain('from 2026-07-01T12:00:00.001Z')
  })

  it.each([
    [-1, '0 or more'],
    ['-1h', '0 or more'],
    ['36526d', 'at most 36525d, a hundred years'],
    [1e15, 'at most 36525d, a hundred years'],
    ['an hour', 'a length of time such as 90s'],
    [1.5, 'a length of time such as 90s'],
  ])('says what would work: by %j', async (by, words) => {
    await using control = openControl()
    const refused = await control.refused('POST', '/clock/advance', { body: { by } })
    expect(refused.status).toBe(400)
    expect(messages(refused)[0]).toContain(`by must be ${words}`)
  })

  it('says how far it can go', async () => {
    await using control = openControl({ fixture: 'default', clock: '9999-12-31T00:00:00Z' })
    const refused = await control.refused('POST', '/clock/advance', { body: { by: '2d' } })
    expect(refused).toMatchObject({ status: 400, code: 'too-far' })
    expect(refused.detail).toContain('to 9999-12-31T23:59:59.999Z')
  })
})

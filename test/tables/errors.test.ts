import { describe, expect, it } from 'vitest'
import { ERROR_CODES, ERRORS, type ErrorCode, HIDDEN } from '../../src/world/settings/errors.ts'
import { openScene } from '../assumptions/scene.ts'
import { PROVOKE } from './provoke.ts'

/** What a caller and the journal see of the call that a code is about. */
async function provoke(code: ErrorCode, settings: Record<string, number>) {
  const scene = openScene(settings)
  const { status, headers, data } = await PROVOKE[code](scene)
  const id = headers.get('x-sandbox-request')
  const { reason } = await scene.app.control('GET', `/requests/${id}`)
  await scene.app.close()
  return { status, data, reason, code: headers.get('x-sandbox-error') }
}

describe.each(ERROR_CODES)('the error %s', (code) => {
  const { status: usual, field } = ERRORS[code]
  const setting = `status.${code}`

  it(`the error ${code} has its status, and its code in the header and in the journal`, async () => {
    const given = usual >= 400 ? {} : { [setting]: 400 }
    const seen = await provoke(code, given)
    expect(seen).toMatchObject({ status: given[setting] ?? usual, code, reason: { code } })
    expect(seen.reason.rule).toMatch(/^[A-Z]/)
    if (!VARIES.includes(code)) expect(seen.reason.field).toBe(field)
  })

  it(`the error ${code} has another status under its setting`, async () => {
    expect(await provoke(code, { [setting]: 499 })).toMatchObject({ status: 499, code })
  })

  it.runIf(HIDDEN[code])(`the error ${code} does not occur under a status of 200`, async () => {
    const seen = await provoke(code, { [setting]: 200 })
    expect(seen).toMatchObject({ code: null, reason: null })
    expect(seen.status).toBeLessThan(300)
  })
})

/** Errors that name the field that was wrong. */
const VARIES: readonly ErrorCode[] = [
  'invalid-body',
  'invalid-query',
  'unknown-field',
  'requirements-outstanding',
  'webhook-without-url',
]

import { type Dialect, operationsOf } from '../operation.ts'

/** The control API: bare JSON, refusals as problem+json with a stable `code` (RFC 9457). */
export const control: Dialect = {
  name: 'control',
  journalled: false,
  refusalType: 'application/problem+json',
  success: (data) => data,
  refusal(refusal, status) {
    const { kind, message, problems, detail } = refusal
    const { code = CODES[status] ?? kind, from, allowed, hint } = detail
    return {
      type: 'about:blank',
      title: message,
      status,
      code,
      detail: hint ?? message,
      errors: problems,
      ...(from !== undefined && { from }),
      ...(allowed !== undefined && { allowed }),
    }
  },
}

const CODES: Record<number, string> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'body-too-large',
  415: 'unsupported-media-type',
}

export const operation = operationsOf(control)

import type { PlayedCall, PlayedStep } from '../http/plays.ts'
import type { Mask } from './mask.ts'
import type { Json } from './types.ts'

export type Fetch = (request: Request) => Promise<Response> | Response

export interface Sent {
  method: string
  /** Path and query below the base URL. */
  path: string
  headers: Record<string, string>
  body?: object | undefined
}

export interface Came {
  status: number
  headers: Record<string, string>
  body: Json
}

export interface RecorderOptions {
  fetch: Fetch
  base: string
  mask: Mask
  /** Goes with every control call, and into no transcript. */
  controlToken: string | null
}

/** Sends requests and writes down what was said. */
export interface Recorder {
  readonly steps: PlayedStep[]
  open(title: string): PlayedStep
  /** Sends and records. */
  send(sent: Sent): Promise<Came>
  /** Sends what is no part of the story. */
  sendUnseen(sent: Sent): Promise<Came>
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { fetch, base, mask, controlToken } = options
  const steps: PlayedStep[] = []
  return { steps, open, send, sendUnseen }

  function open(title: string): PlayedStep {
    const step = { title, calls: [], deliveries: [] }
    steps.push(step)
    return step
  }

  async function send(sent: Sent): Promise<Came> {
    const call = record(sent)
    const came = await sendUnseen(sent)
    call.response = {
      status: came.status,
      headers: mask.headers(came.headers),
      body: mask.json(came.body),
    }
    return came
  }

  /** Calls stand in the order in which they were made, whenever they are answered. */
  function record({ method, path, headers, body }: Sent): PlayedCall {
    const request = {
      method,
      path: mask.text(path),
      headers: mask.headers(headers),
      body: mask.json(body ?? null),
    }
    const call: PlayedCall = { request, response: null }
    steps.at(-1)?.calls.push(call)
    return call
  }

  async function sendUnseen({ method, path, headers: own, body }: Sent): Promise<Came> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const asksForToken = controlToken !== null && path.startsWith('/_sandbox')
    const headers = asksForToken ? { ...own, authorization: `Bearer ${controlToken}` } : own
    const request = new Request(`${base}${path}`, { method, headers, redirect: 'manual', ...sent })
    const response = await fetch(request)
    const text = await response.text()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: parse(text),
    }
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

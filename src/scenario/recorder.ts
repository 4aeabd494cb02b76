import { type HttpAnswer, type HttpClient, type HttpRequest, pathOf } from '../client/http.ts'
import type { PlayedCall, PlayedStep } from '../http/plays.ts'
import type { Mask } from './mask.ts'

export type CallRecorder = ReturnType<typeof createRecorder>

/** Sends what a scenario sends, and writes a transcript of it. */
export function createRecorder({ send: sendUnrecorded }: HttpClient, mask: Mask) {
  const steps: PlayedStep[] = []
  return { steps, open, send }

  function open(title: string): PlayedStep {
    const step = { title, calls: [], deliveries: [] }
    steps.push(step)
    return step
  }

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    const call = record(request)
    const answer = await sendUnrecorded(request)
    call.response = {
      status: answer.status,
      headers: mask.headers(answer.headers),
      body: mask.json(answer.body),
    }
    return answer
  }

  /** Calls stand in the order in which they were made, whenever they are answered. */
  function record(request: HttpRequest): PlayedCall {
    const { method, headers = {}, body = null } = request
    const call: PlayedCall = {
      request: {
        method,
        path: mask.text(pathOf(request)),
        headers: mask.headers(headers),
        body: mask.json(body),
      },
      response: null,
    }
    steps.at(-1)?.calls.push(call)
    return call
  }
}

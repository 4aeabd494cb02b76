import * as z from 'zod'
import type { Sandbox } from '../client/client.ts'

/** What a tool may use: the world that its caller means, and the end of their patience. */
export interface ToolCall<Input> {
  sandbox: Sandbox
  input: Input
  signal: AbortSignal | undefined
}

/** One lever of the sandbox, for programs that read its description and decide by themselves. */
export interface Tool {
  name: string
  description: string
  /** Whether it changes nothing. */
  reads: boolean
  input: z.ZodObject
  /** Answers what the caller should read; throws a `SandboxError`. */
  run(call: ToolCall<Record<string, unknown>>): Promise<unknown>
}

interface ToolOptions<Shape extends z.ZodRawShape> {
  description: string
  reads?: boolean
  input?: Shape
  run(call: ToolCall<z.output<z.ZodObject<Shape, z.core.$strict>>>): Promise<unknown>
}

/** Every tool takes the name of a world beside what is its own. */
const World = () =>
  z.string().optional().describe('Another world of the same sandbox, by name; made on first use.')

export function createTool<Shape extends z.ZodRawShape>(
  name: string,
  { description, reads = false, input, run }: ToolOptions<Shape>,
): Tool {
  const schema = z.strictObject({ ...input, world: World() })
  return { name, description, reads, input: schema, run: run as unknown as Tool['run'] }
}

export function describeTool({ name, description, reads, input }: Tool) {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => leaveOut(jsonSchema),
  })
  return { name, description, inputSchema, ...(reads && { annotations: { readOnlyHint: true } }) }
}

/** What every reader of the list would pay for and none needs. */
function leaveOut(schema: z.core.JSONSchema.BaseSchema) {
  delete schema.typeName
  delete schema.title
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}

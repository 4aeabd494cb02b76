import { toProjectJsonSchema } from '../src/cli/project-file.ts'
import { SERVING_OPTIONS } from '../src/cli/serving-options.ts'

export const schema = toProjectJsonSchema(SERVING_OPTIONS)

import type { Tool } from '../tool.ts'
import { callApi } from './call-api.ts'
import { peopleTools } from './people.ts'
import { watchTools } from './watch.ts'
import { worldTools } from './world.ts'

export const TOOLS: readonly Tool[] = [...worldTools, ...peopleTools, ...watchTools, callApi]

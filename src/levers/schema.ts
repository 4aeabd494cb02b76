import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

/** An object with these fields alone, which the documents describe once, under its title. */
export const named = <Shape extends z.core.$ZodLooseShape>(title: string, shape: Shape) =>
  z.strictObject(shape).meta({ title })

import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

/** An object with these fields alone, which the documents describe once, under its title. */
export const named = <Shape extends z.core.$ZodLooseShape>(title: string, shape: Shape) =>
  z.strictObject(shape).meta({ title })

/** A schema that has a title, with what it holds in one field. */
export const inField = <Schema extends z.ZodType>(schema: Schema, about: string): Schema =>
  schema.meta({ inField: about })

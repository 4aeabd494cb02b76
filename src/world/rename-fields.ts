import { DomainError } from './domain-error.ts'

/** Runs a function, and renames the fields in its errors to those of another request. */
export function renameFields<Result>(
  names: Readonly<Record<string, string>>,
  act: () => Result,
): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, detail } = error
    const problems = error.problems.map(({ field, message, ...rest }) => {
      const name = names[field] ?? field
      return { field: name, message: message.replace(field, name), ...rest }
    })
    throw DomainError.ofMany(problems, { code, ...detail })
  }
}

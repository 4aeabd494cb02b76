import { Field } from '../lib/form.tsx'

interface UserFieldProps {
  label: string
  /** Proposed users; the first one is filled in. */
  emails: readonly string[]
  required?: boolean
}

/** A field for a user, by e-mail address or id. */
export const UserField = ({ label, emails, required }: UserFieldProps) => (
  <>
    <Field
      label={label}
      name="user"
      list="proposed-users"
      required={required}
      placeholder="ana@example.com"
      value={emails[0]}
    />
    <datalist id="proposed-users">
      {emails.map((email) => (
        <option key={email} value={email} />
      ))}
    </datalist>
  </>
)

import { useRef, useState, type InputHTMLAttributes, type ReactNode, type RefObject } from 'react'
import { minPasswordLength } from '#app/lib/password-length.ts'
import { Eye, EyeOff } from '../components/icons.tsx'
import { controlProps, Field, type FieldState } from './field.tsx'
import { estimateStrength, strengthLabels } from './password-strength.ts'
import { usePrehydrationValue } from './use-prehydration-value.ts'

type PasswordFieldProps = {
  field: FieldState
  hint?: ReactNode
  aside?: ReactNode
  inputRef?: RefObject<HTMLInputElement>
} & InputHTMLAttributes<HTMLInputElement>

/** A password field with a button that shows the password. */
export function PasswordField({ field, hint, aside, inputRef, className = '', ...input }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  return (
    <Field field={field} hint={hint} aside={aside}>
      <span className="relative block">
        <input
          {...controlProps(field, hint)}
          {...input}
          ref={inputRef}
          type={visible ? 'text' : 'password'}
          className={`input pr-11 ${className}`}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-r-md text-ink-3 hover:text-ink"
          aria-label={visible ? 'Hide password' : 'Show password'}
          onClick={() => setVisible(!visible)}
        >
          {visible ? <EyeOff className="i" /> : <Eye className="i" />}
        </button>
      </span>
    </Field>
  )
}

/** A field for a new password. Shows how hard it is to guess once scripts run. */
export function NewPasswordField(props: Omit<PasswordFieldProps, 'hint' | 'aside' | 'inputRef' | 'autoComplete'>) {
  const [password, setPassword] = useState('')
  const inputRef = useRef<HTMLInputElement>(null)
  usePrehydrationValue(inputRef, setPassword)
  return (
    <PasswordField
      {...props}
      inputRef={inputRef}
      autoComplete="new-password"
      hint={
        <>
          At least {minPasswordLength} characters
          {password && <Strength strength={estimateStrength(password)} />}
        </>
      }
      onChange={(event) => setPassword(event.currentTarget.value)}
    />
  )
}

const strengthColors = [
  'bg-danger-solid',
  'bg-danger-solid',
  'bg-warning-solid',
  'bg-success-solid',
  'bg-success-solid',
]

function Strength({ strength }: { strength: number }) {
  return (
    <span className="mt-1 flex items-center gap-2">
      <span className="grid flex-1 grid-cols-4 gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={`h-1 rounded-full ${bar <= strength ? strengthColors[strength] : 'bg-line'}`} />
        ))}
      </span>
      <span aria-live="polite">{strengthLabels[strength]}</span>
    </span>
  )
}

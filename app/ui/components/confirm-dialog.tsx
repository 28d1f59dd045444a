import { Form, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Dialog, DialogBody, DialogSubmit } from './dialog.tsx'
import { FormError } from '../forms/field.tsx'

/** Asks for confirmation before submitting a form. Works without JavaScript; Cancel has the initial focus. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  busyLabel,
  closeTo,
  action,
  fields = {},
  errors,
}: {
  title: string
  children: ReactNode
  confirm: string
  busyLabel?: string
  closeTo: string
  /** The form's action, by default the current URL. */
  action?: string
  fields?: Record<string, string>
  errors?: string[]
}) {
  const navigation = useNavigation()
  const busy = navigation.state !== 'idle' && Boolean(navigation.formMethod)
  return (
    <Dialog title={title} closeTo={closeTo}>
      <DialogBody>
        <div className="wrap-anywhere text-ink-2">{children}</div>
        <Form method="post" action={action} preventScrollReset>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {errors?.length ? (
            <div className="mt-4">
              <FormError errors={errors} />
            </div>
          ) : null}
          <DialogSubmit danger busy={busy} busyLabel={busyLabel}>
            {confirm}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

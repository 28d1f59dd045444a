import { Form } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { unsavedLocations } from '#app/ui/forms/dirty-forms.ts'
import { FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { useIsomorphicLayoutEffect } from '#app/ui/use-isomorphic-layout-effect.ts'
import type { ContractPage } from '../contract-loader.server.ts'
import { closeFields, signFields } from '../fields.ts'
import { contractUrl } from '../list-state.ts'
import { attachSignaturePad } from '../signing/pad.ts'
import { padId, SignatureFields } from './signature-fields.tsx'

/** The dialog that the URL names, if the state of the contract has it. */
export function ContractDialog(data: ContractPage) {
  const { id, title, dialog, draft, canSign, isOpen } = data
  if (dialog === 'send' && draft) return <SendDialog {...data} />
  if (dialog === 'sign' && canSign) return <SignDialog {...data} />
  if (dialog === 'void' && isOpen) return <VoidDialog {...data} />
  if (dialog !== 'delete' || !draft) return null
  return (
    <ConfirmDialog
      title="Delete Draft"
      confirm="Delete Draft"
      busyLabel="Deleting..."
      closeTo={contractUrl(id).href()}
      fields={{ intent: 'delete', id: String(id) }}
    >
      “{title}” stays in the trash for 30 days.
    </ConfirmDialog>
  )
}

function SendDialog({ id, clientName, canEmail, hasHost }: ContractPage) {
  const { form, busy } = useServerForm({}, { id: 'send', intent: 'send' })
  const [hasUnsaved, setHasUnsaved] = useState(false)
  useIsomorphicLayoutEffect(() => setHasUnsaved(unsavedLocations().length > 0), [])
  if (hasUnsaved)
    return (
      <Dialog title="Send Contract" closeTo={contractUrl(id).href()}>
        <DialogBody>
          <p role="alert" className="note">
            Your changes aren’t saved, and the contract would be sent without them. Save them first.
          </p>
          <DialogActions>
            <DialogClose>Close</DialogClose>
          </DialogActions>
        </DialogBody>
      </Dialog>
    )
  return (
    <Dialog title="Send Contract" closeTo={contractUrl(id).href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="send" />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          {!hasHost && (
            <p className="note">Choose a web address under Branding first. Links to contracts lead there.</p>
          )}
          <p className="text-ink-2 wrap-anywhere">
            {clientName} gets the text as it is saved. From now on it can’t be changed, only voided and sent anew.
          </p>
          {canEmail ? (
            <label className="flex items-center gap-2.5">
              <input type="checkbox" name="sendEmail" value="yes" className="check" defaultChecked={hasHost} />
              Email the link
            </label>
          ) : (
            <p className="hint">Confirm your email address to email links. Until then, copy them.</p>
          )}
          <DialogSubmit busy={busy} busyLabel="Sending...">
            Send Contract
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function SignDialog({ id, hash, coachName }: ContractPage) {
  const { form, fields, busy } = useServerForm(signFields, {
    id: 'sign',
    intent: 'sign',
    values: { name: coachName },
  })
  useEffect(() => attachSignaturePad(document.getElementById(padId)), [])
  return (
    <Dialog title="Sign Contract" closeTo={contractUrl(id).href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="sign" />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="hash" value={hash} />
          <FormError id={form.errorId} errors={form.errors} />
          <SignatureFields fields={fields} />
          <DialogSubmit busy={busy} busyLabel="Signing...">
            Sign Contract
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function VoidDialog({ id, clientName }: ContractPage) {
  const { form, fields, busy } = useServerForm(closeFields, { id: 'void', intent: 'void' })
  return (
    <Dialog title="Void Contract" closeTo={contractUrl(id).href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="void" />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <p className="text-ink-2 wrap-anywhere">
            {clientName} can’t sign it any more. This can’t be undone; you can make a new version.
          </p>
          <TextAreaField field={fields.reason} rows={3} />
          <DialogSubmit danger busy={busy} busyLabel="Voiding...">
            Void Contract
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

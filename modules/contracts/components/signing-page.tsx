import { FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { closeFields, signFields } from '../fields.ts'
import type { SigningStage, SigningView } from '../signing/signing-view.ts'
import { ContractText } from './contract-text.tsx'
import { PadScript, SignatureFields } from './signature-fields.tsx'

/** A contract for its client: on the page of a link, and in the portal. Plain HTML; a script adds drawing. */
export function SigningPage({ contract, path }: { contract: SigningView; path: string }) {
  const { title, practiceName, stage, text, hash, coach } = contract
  return (
    <>
      <p className="text-ink-3">Contract with {practiceName}</p>
      <h1 className="mt-2 font-serif text-4xl text-balance wrap-anywhere">{title}</h1>
      <p className="mt-3 text-ink-2 wrap-anywhere" role="status">
        {describe(contract)}
      </p>
      {stage === 'cover' && (
        <form method="post" action={path} className="mt-6">
          <input type="hidden" name="intent" value="open" />
          <button type="submit" className="btn btn-primary btn-lg max-sm:w-full">
            Read the contract
          </button>
        </form>
      )}
      {stage === 'completed' && (
        <p className="mt-6">
          <a className="btn btn-secondary btn-lg max-sm:w-full" href={`${path}/file`}>
            Download PDF
          </a>
        </p>
      )}
      {text !== null && (
        <div className="mt-8">
          <ContractText text={text} />
          <p className="mt-2 text-sm text-ink-3 wrap-anywhere">SHA-256 of this text: {hash}</p>
        </div>
      )}
      {stage === 'open' && <SignForms contract={contract} path={path} />}
      <p className="mt-8 text-ink-3">
        Questions?{' '}
        <a className="link hit wrap-anywhere" href={`mailto:${coach.email}`}>
          Write to {practiceName}
        </a>
      </p>
    </>
  )
}

function describe({ stage, practiceName, expiresAt, signedAt, closedAt }: SigningView): string {
  const texts: Record<SigningStage, string> = {
    cover: `${practiceName} asks you to read and sign this contract until ${expiresAt}.`,
    open: `Read the contract, then sign it below until ${expiresAt}.`,
    waiting: `You signed this contract on ${signedAt}. ${practiceName} signs next, then you get your copy by email.`,
    completed: `You and ${practiceName} have signed this contract, the last time on ${closedAt}.`,
    declined: `You declined this contract on ${closedAt}.`,
    expired: `This contract has expired. Ask ${practiceName} to send it again.`,
    voided: `${practiceName} has withdrawn this contract.`,
    over: 'This link has expired. Your signed copy comes by email.',
  }
  return texts[stage]
}

function SignForms({ contract: { id, hash, nonce }, path }: { contract: SigningView; path: string }) {
  const sign = useServerForm(signFields, { id: 'sign', intent: 'sign' })
  const decline = useServerForm(closeFields, { id: 'decline', intent: 'decline' })
  return (
    <div className="mt-8 grid gap-8">
      <form method="post" action={path} {...sign.form.props} className="grid gap-4" aria-label="Sign">
        <input type="hidden" name="intent" value="sign" />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="hash" value={hash} />
        <FormError id={sign.form.errorId} errors={sign.form.errors} />
        <SignatureFields fields={sign.fields} />
        <button type="submit" className="btn btn-primary btn-lg justify-self-start max-sm:w-full">
          Sign contract
        </button>
      </form>
      <details open={Boolean(decline.form.errors)}>
        <summary className="link hit">I don’t want to sign</summary>
        <form method="post" action={path} {...decline.form.props} className="mt-4 grid gap-4" aria-label="Decline">
          <input type="hidden" name="intent" value="decline" />
          <input type="hidden" name="id" value={id} />
          <FormError id={decline.form.errorId} errors={decline.form.errors} />
          <TextAreaField field={decline.fields.reason} rows={3} />
          <button type="submit" className="btn btn-secondary justify-self-start max-sm:w-full">
            Decline contract
          </button>
        </form>
      </details>
      <PadScript nonce={nonce} />
    </div>
  )
}

import { FieldNote, TextField } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { drawingHeight, drawingWidth } from '../drawing.ts'
import { consentSentence, type signFields } from '../fields.ts'
import { attachSignaturePad } from '../signing/pad.ts'

/** The id of the box to draw in, which scripts make work. */
export const padId = 'signature-pad'

/** The inputs of a signature: name, drawing and consent. */
export function SignatureFields({ fields }: { fields: ServerForm<typeof signFields>['fields'] }) {
  const { name, drawing, consent } = fields
  return (
    <>
      <TextField field={name} autoComplete="name" hint="Your typed name is your signature." />
      <div id={padId} hidden className="grid gap-2">
        <p className="label">Draw your signature, if you like</p>
        <canvas
          width={drawingWidth}
          height={drawingHeight}
          role="img"
          aria-label="Box to draw your signature in"
          className="w-full max-w-[30rem] touch-none rounded-md border border-line bg-white"
        />
        <input type="hidden" name="drawing" />
        <button type="button" className="btn btn-ghost btn-sm justify-self-start">
          Clear drawing
        </button>
      </div>
      <FieldNote field={drawing} />
      <div>
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            id={consent.id}
            name="consent"
            value="yes"
            className="check mt-1"
            aria-invalid={Boolean(consent.errors?.length) || undefined}
            aria-describedby={consent.errors?.length ? `${consent.id}-error` : undefined}
          />
          <span>{consentSentence}</span>
        </label>
        <FieldNote field={consent} />
      </div>
      <p className="hint">This is an electronic signature. Your address and browser are kept with it as evidence.</p>
    </>
  )
}

/** For pages without other scripts. */
export function PadScript({ nonce }: { nonce: string }) {
  const source = `(${attachSignaturePad.toString()})(document.getElementById('${padId}'))`
  // oxlint-disable-next-line react/no-danger -- a constant, which React would escape
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: source }} />
}

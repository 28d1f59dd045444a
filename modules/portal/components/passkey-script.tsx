import { attachPasskeyForm } from './passkey-form.ts'

/** The id of a page's form for a passkey. */
export const passkeyFormId = 'passkey'

/** For pages without other scripts. */
export function PasskeyScript({ nonce }: { nonce: string }) {
  const source = `(${attachPasskeyForm.toString()})(document.getElementById('${passkeyFormId}'))`
  // oxlint-disable-next-line react/no-danger -- a constant, which React would escape
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: source }} />
}

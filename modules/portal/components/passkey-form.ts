/**
 * Makes a form for a passkey work, which stays hidden without scripts: asks the browser for the passkey, then sends its
 * response. `data-options`: the address of the dialog's options. Self-contained: plain pages get its source.
 */
export function attachPasskeyForm(form: HTMLElement | null): void {
  const isSupported =
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype
  if (!(form instanceof HTMLFormElement) || !isSupported) return
  const button = form.querySelector('button')!
  const problem = form.querySelector<HTMLElement>('[role=alert]')!
  const response = form.querySelector<HTMLInputElement>('input[name=response]')!
  const name = form.querySelector<HTMLInputElement>('input[name=name]')
  const show = (text: string) => {
    problem.textContent = text
    problem.hidden = !text
  }
  // With `disabled` the button would lose the focus.
  const setDisabled = (isDisabled: boolean) => {
    if (isDisabled) button.setAttribute('aria-disabled', 'true')
    else button.removeAttribute('aria-disabled')
    button.classList.toggle('is-disabled', isDisabled)
  }

  const load = async () => {
    const reply = await fetch(form.dataset.options!, { headers: { Accept: 'application/json' } })
    const isJson = reply.headers.get('Content-Type')?.includes('json')
    const body = isJson ? await reply.json() : { message: 'Something went wrong. Reload the page and try again.' }
    if (!reply.ok || !isJson) throw Object.assign(new Error(body.message), { name: 'Refused' })
    return body
  }
  const ask = async () => {
    const options = await load()
    return name
      ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  }
  // The browser's own messages are for developers.
  const describe = (error: unknown) => {
    const kind = error instanceof Error ? error.name : ''
    if (kind === 'Refused') return (error as Error).message
    if (kind === 'InvalidStateError') return 'This device already has a passkey for you.'
    if (kind === 'SecurityError') return 'Passkeys don’t work at this address.'
    if (kind === 'TypeError') return 'The server could not be reached. Please try again.'
    return name ? 'No passkey was added. Please try again.' : 'The passkey was not confirmed. Try again or use a link.'
  }

  form.hidden = false
  for (const note of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) note.hidden = true
  form.addEventListener('submit', async (event) => {
    // The server asks for a name that is missing.
    if (name && !name.value.trim()) return
    event.preventDefault()
    if (button.hasAttribute('aria-disabled')) return
    setDisabled(true)
    show('')
    try {
      const credential = await ask()
      response.value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      show(describe(error))
      button.focus()
    }
    setDisabled(false)
  })
  // Going back shows the page as it was: its response was used.
  addEventListener('pageshow', () => {
    response.value = ''
  })
}

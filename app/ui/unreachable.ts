import type { ClientActionFunctionArgs } from '@remix-run/react'
import { turnsTaken } from './in-turn.ts'
import { say } from './say.ts'

type Words = string | { title: string; text: string }
/** What is said when a form's deed fails, by its `intent` ('' for a form without one); a function gets the address that the form is sent to. */
export type Sorry = Record<string, Words | ((to: URL) => Words)>

/**
 * The `clientAction` of every page that takes forms. When the server is not reached, or answers nothing that can be read, the page
 * stays as it is with what was typed, and a toast says `sorry` of the form's intent; a form of `useServerForm` says it too.
 * A form waits until the server has heard of all that was moved by hand before it.
 */
export function keepTyped(sorry: Sorry = {}) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    await turnsTaken()
    const form = await request.clone().formData()
    try {
      return await serverAction()
    } catch (error) {
      // Redirects and refusals with a page of their own are no errors; who went on meanwhile is not called back.
      if (!(error instanceof Error) || request.signal.aborted) throw error
      const to = new URL(request.url)
      const words = sorry[String(form.get('intent') ?? '')] ?? 'This did not work. Please try again.'
      const said = typeof words === 'function' ? words(to) : words
      const { title, text } = typeof said === 'string' ? { title: 'Error', text: said } : said
      say({ tone: 'error', title, text })
      return leavesThePage(to) ? hereAgain() : refusal(form, `${text.replace(/[^.]$/, '$&.')} ${error instanceof TypeError ? 'The server could not be reached; what' : 'What'} you typed stays here.`)
    }
  }
}

/** A form that a page sends to another one would go there, and load what can't be loaded. A fetcher stays in any case. */
function leavesThePage(to: URL): boolean {
  const { state, formAction } = window.__remixRouter.state.navigation
  return state === 'submitting' && new URL(formAction, to).href === to.href && to.pathname + to.search !== window.location.pathname + window.location.search
}

/** To the page that is on the screen: where nothing but what stands behind # changes, the router loads nothing. */
function hereAgain(): Response {
  const { pathname, search } = window.location
  return new Response(null, { status: 302, headers: { Location: `${pathname}${search}#here`, 'X-Remix-Replace': 'true' } })
}

function refusal(form: FormData, problem: string): Response {
  const kept = [...form].filter(([name, value]) => typeof value === 'string' && !/password/i.test(name))
  // With this status nothing is loaded anew, which would fail as well.
  return new Response(JSON.stringify({ result: { status: 'error', initialValue: Object.fromEntries(kept), error: { '': [problem] } } }), {
    status: 503,
    headers: { 'Content-Type': 'application/json' },
  })
}

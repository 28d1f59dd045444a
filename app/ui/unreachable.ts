import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'
import type { ToastMessage } from '../lib/flash.ts'
import { turnsTaken } from './in-turn.ts'
import { say } from './say.ts'

type Words = string | { title: string; text: string }
/** What is said when a form's deed fails, by its `intent` ('' for a form without one); a function gets the address that the form is sent to. */
export type Sorry = Record<string, Words | ((to: URL) => Words)>

/**
 * The `clientAction` of every page that takes forms. When the server is not reached, or answers nothing that can be read, the page
 * stays as it is with what was typed, and a toast says `sorry` of the form's intent; a form of `useServerForm` says it too. So it
 * does when the session has ended: the toast opens the sign-in beside the page.
 * A form waits until the server has heard of all that was moved by hand before it.
 */
export function keepTyped(sorry: Sorry = {}) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    await turnsTaken()
    const form = await request.clone().formData()
    try {
      return await serverAction()
    } catch (error) {
      // Who went on meanwhile is not called back.
      const to = new URL(request.url)
      const failed = request.signal.aborted ? null : (signedOut(error) ?? broken(error, sorry[String(form.get('intent') ?? '')], to))
      if (!failed) throw error
      say(failed.toast)
      return leavesThePage(to) ? hereAgain() : refusal(form, failed.problem)
    }
  }
}

/** What is said of a failure: in a toast, and by the form. */
type Failed = { toast: ToastMessage; problem: string }

/** What the server says to a form whose sender's session has ended; null for everything else. */
function signedOut(error: unknown): Failed | null {
  if (!isRouteErrorResponse(error) || error.status !== 401) return null
  const toast: ToastMessage = error.data
  return {
    toast: { ...toast, link: { label: 'Sign In', to: '/auth', newTab: true } },
    problem: `${toast.title}. Sign in from another tab, then send this again: what you typed stays here.`,
  }
}

/** Null for redirects and refusals with a page of their own: they are no errors. */
function broken(error: unknown, words: Sorry[string] = 'This did not work. Please try again.', to: URL): Failed | null {
  if (!(error instanceof Error)) return null
  const said = typeof words === 'function' ? words(to) : words
  const { title, text } = typeof said === 'string' ? { title: 'Error', text: said } : said
  return {
    toast: { tone: 'error', title, text },
    problem: `${text.replace(/[^.]$/, '$&.')} ${error instanceof TypeError ? 'The server could not be reached; what' : 'What'} you typed stays here.`,
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

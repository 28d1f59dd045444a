import type { ClientActionFunctionArgs } from '@remix-run/react'

/**
 * Sends a form from the browser. When the server is not reached, what was typed stays where it is and the form says `sorry`
 * of the form's intent; without one the page fails as it does otherwise.
 */
export async function keepTyped({ request, serverAction }: ClientActionFunctionArgs, sorry: Record<string, string>): Promise<unknown> {
  const form = await request.clone().formData()
  try {
    return await serverAction()
  } catch (error) {
    const told = sorry[String(form.get('intent'))]
    if (!(error instanceof TypeError) || told === undefined) throw error
    const initialValue = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
    const result = { status: 'error', initialValue, error: { '': [`${told} The server could not be reached; what you typed stays here.`] } }
    // With this status nothing is loaded anew, which would fail as well.
    return new Response(JSON.stringify({ result, toast: { tone: 'error', title: 'Error', text: told } }), {
      status: 503,
      headers: { 'Content-Type': 'application/json' },
    })
  }
}

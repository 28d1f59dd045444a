import type { LoaderFunctionArgs } from '@remix-run/node'
import { search } from '#modules/registry.ts'
import type { SearchAnswer } from '#app/shell/use-search.ts'

/** What the search box and the palette ask while one types. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const term = termOf(request)
  const answer: SearchAnswer = await search(context.coach(), term)
  return Response.json(answer)
}

/** Text that can't be stored can't be found either: it is left out. */
export function termOf(request: Request): string {
  return (new URL(request.url).searchParams.get('q') ?? '').toWellFormed().replaceAll('\0', '').slice(0, 200)
}

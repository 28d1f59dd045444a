import { gunzipSync } from 'node:zlib'
import type { Visitor } from './data.ts'
import { fetched } from './servers.ts'

/**
 * Bytes of JavaScript that a browser fetches to show `page`: what its HTML loads and preloads, and what these files import
 * statically, as the server sends them to a browser that takes gzip.
 */
export async function scriptBytes(port: number, page: string, visitor?: Visitor): Promise<number> {
  const { status, headers, body } = await fetched(port, page, visitor)
  if (status !== 200) throw new Error(`${page} answered ${status}`)
  const html = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  const wanted = [...html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map(([, file]) => file!)
  // The list of all routes that Remix puts into the page names files that this page does not load.
  const loaded = wanted.filter((file) => isLoadedBy(html, file))
  const seen = new Map<string, number>()
  for (const file of loaded) await weigh(port, file, seen)
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function isLoadedBy(html: string, file: string): boolean {
  const name = file.replaceAll('.', '\\.')
  return new RegExp(
    `(?:rel="modulepreload"[^>]*href="${name}"|href="${name}"[^>]*rel="modulepreload"|<script[^>]*src="${name}"|(?:import|from)\\s*["']${name}["'])`,
  ).test(html)
}

async function weigh(port: number, file: string, seen: Map<string, number>): Promise<void> {
  if (seen.has(file)) return
  const { status, headers, body } = await fetched(port, file)
  if (status !== 200) throw new Error(`${file} answered ${status}`)
  seen.set(file, body.byteLength)
  const source = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  for (const [, imported] of source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+\.js)["']/g)) {
    await weigh(port, new URL(imported!, `http://localhost${file}`).pathname, seen)
  }
}

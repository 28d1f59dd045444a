import { gunzipSync } from 'node:zlib'
import type { BenchUser } from './data.ts'
import { fetchRaw } from './servers.ts'

/** The bytes of JavaScript (gzip) that a browser fetches for `page`: its scripts, preloads and their static imports. */
export async function measureScripts(port: number, page: string, user?: BenchUser): Promise<number> {
  const { status, headers, body } = await fetchRaw(port, page, user)
  if (status !== 200) throw new Error(`${page} returned ${status}`)
  const html = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  const mentioned = [...html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map(([, file]) => file!)
  // Remix's route manifest also mentions files that this page doesn't load.
  const loaded = mentioned.filter((file) => isLoaded(html, file))
  const sizes = new Map<string, number>()
  for (const file of loaded) await addScript(port, file, sizes)
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function isLoaded(html: string, file: string): boolean {
  const name = file.replaceAll('.', '\\.')
  return [
    `rel="modulepreload"[^>]*href="${name}"`,
    `href="${name}"[^>]*rel="modulepreload"`,
    `<script[^>]*src="${name}"`,
    `(?:import|from)\\s*["']${name}["']`,
  ].some((pattern) => new RegExp(pattern).test(html))
}

async function addScript(port: number, file: string, sizes: Map<string, number>): Promise<void> {
  if (sizes.has(file)) return
  const { status, headers, body } = await fetchRaw(port, file)
  if (status !== 200) throw new Error(`${file} returned ${status}`)
  sizes.set(file, body.byteLength)
  const source = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  for (const [, imported] of source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+\.js)["']/g)) {
    await addScript(port, new URL(imported!, `http://localhost${file}`).pathname, sizes)
  }
}

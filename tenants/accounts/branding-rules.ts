// Apart from the fields: the sign-in page loads those.

export const subdomainPattern = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/
export const brandingMessages = {
  primaryColor: 'Choose a color such as #6366f1',
  subdomain: 'Use 3 to 40 of a–z, 0–9 and hyphens, with no hyphen at either end',
}

# Does for ruby-jwt and json-jwt what keys.mjs does for libraries of npm.
require 'base64'
require 'json'

$now = 0
Time.define_singleton_method(:now) { Time.at($now) }

CHECKS = {
  'ruby-jwt' => lambda do |one|
    require 'jwt'
    require 'rbnacl'
    options = { algorithms: ['EdDSA'], aud: one['app'], verify_aud: true }
    return JWT.decode(one['key'], nil, true, jwks: one['jwks'], **options).first if one['plain']

    kid = JWT.decode(one['key'], nil, false).last['kid']
    jwk = one['jwks']['keys'].find { |entry| entry['kid'] == kid }
    key = RbNaCl::Signatures::Ed25519::VerifyKey.new(Base64.urlsafe_decode64(jwk['x']))
    JWT.decode(one['key'], key, true, options).first
  end,
  'json-jwt' => lambda do |one|
    require 'json/jwt'
    JSON::JWT.decode(one['key'], JSON::JWK::Set.new(one['jwks']))
  end
}.freeze

told = JSON.parse($stdin.read).map do |one|
  $now = one['now']
  "ok #{CHECKS.fetch(ARGV.first).call(one)['exp']}"
rescue StandardError, LoadError, NotImplementedError => e
  "#{e.class}: #{e.message}"
end
puts JSON.generate(told)

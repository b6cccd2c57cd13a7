<?php
// Does for sodium, without a library for JWT, what keys.mjs does for libraries of npm.
$told = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $one) {
    [$header, $payload, $signature] = explode('.', $one['key']);
    $decode = fn ($text) => sodium_base642bin($text, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING);
    $kid = json_decode($decode($header), true)['kid'];
    $keys = array_column($one['jwks']['keys'], 'x', 'kid');
    $isRight = sodium_crypto_sign_verify_detached($decode($signature), "$header.$payload", $decode($keys[$kid]));
    $told[] = $isRight ? 'ok ' . json_decode($decode($payload), true)['exp'] : 'wrong signature';
}
echo json_encode($told), "\n";

# Does for libraries of Perl what keys.mjs does for those of npm.
use strict;
use warnings;
use JSON::PP;

my $now = 0;
BEGIN { *CORE::GLOBAL::time = sub { return $now } }

my %checks = (
    'Crypt::JWT' => sub {
        my $one = shift;
        require Crypt::JWT;
        return Crypt::JWT::decode_jwt(
            token        => $one->{key},
            kid_keys     => $one->{jwks},
            accepted_alg => 'EdDSA',
            verify_aud   => $one->{app},
        );
    },
    'Mojo::JWT' => sub {
        my $one = shift;
        require Mojo::JWT;
        return Mojo::JWT->new(jwks => $one->{jwks}{keys})->decode($one->{key});
    },
);

my @told = map {
    my $one = $_;
    $now = $one->{now};
    my $claims = eval { $checks{ $ARGV[0] }->($one) };
    $claims ? "ok $claims->{exp}" : "$@";
} @{ decode_json(join '', <STDIN>) };
print encode_json(\@told), "\n";
